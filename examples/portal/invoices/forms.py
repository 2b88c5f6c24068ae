"""What comes from pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext_lazy as _

from .models import Decline, Invoice, InvoiceLine


class DeclineForm(forms.ModelForm):
    """That the document is declined, and why."""

    hash = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Why do you decline it?"), max_length=1000, widget=forms.Textarea(attrs={"rows": 3, "maxlength": 1000})
    )

    class Meta:
        model = Decline
        fields = ("hash", "reason")


class InvoiceForm(forms.ModelForm):
    """A new document."""

    upload = forms.FileField(label=_("A PDF, in place of lines"), required=False)
    total = forms.DecimalField(
        label=_("Total of the PDF"), max_digits=12, decimal_places=2, min_value=0, required=False
    )

    class Meta:
        model = Invoice
        fields = (
            "issuer",
            "kind",
            "number",
            "client_name",
            "client_email",
            "client_address",
            "language",
            "currency",
            "issued_on",
            "due_on",
            "note",
        )
        widgets = {
            "issued_on": forms.DateInput({"type": "date"}, "%Y-%m-%d"),
            "due_on": forms.DateInput({"type": "date"}, "%Y-%m-%d"),
            "note": forms.Textarea({"rows": 3}),
        }

    def __init__(self, *args: Any, issuers: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["issuer"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = issuers
        self.fields["total"].initial = self.instance.total
        if issuers.count() == 1:
            field.initial = issuers.first()

    def clean_upload(self) -> Any:
        """Before it is read into memory."""
        upload = self.cleaned_data["upload"]
        if upload and upload.size > settings.UPLOAD_MOST_BYTES:
            raise forms.ValidationError(_("The PDF has more than 10 MiB."))
        return upload

    def values(self) -> dict[str, Any]:
        """For the service."""
        found = {name: self.cleaned_data[name] for name in self._meta.fields or ()}
        if upload := self.cleaned_data["upload"]:
            found["upload"] = upload.read()
        if upload or self.instance.upload is not None:
            # Lines that come in its place have their own.
            found["total"] = self.cleaned_data["total"]
        return found


class LineForm(forms.ModelForm):
    """One line."""

    class Meta:
        model = InvoiceLine
        fields = ("description", "quantity", "unit_price", "vat_rate")


class AllLines(BaseFormSet):
    """The lines of a document."""

    def values(self) -> list[dict[str, Any]]:
        """For the service, without those that are deleted or empty."""
        kept = [form for form in self.forms if form.cleaned_data and form not in self.deleted_forms]
        return [{name: form.cleaned_data[name] for name in LineForm.Meta.fields} for form in kept]


LineForms: Any = formset_factory(
    LineForm, AllLines, extra=4, max_num=50, absolute_max=50, can_delete=True, can_delete_extra=False
)
