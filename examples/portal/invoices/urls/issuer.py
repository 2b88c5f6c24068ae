"""An issuer's pages."""

from django.urls import path

from ..views import issuer

urlpatterns = [
    path("", issuer.documents, name="issuer"),
    path("novi/", issuer.create, name="create"),
    path("<int:pk>/", issuer.document, name="issued"),
    path("<int:pk>/uredi/", issuer.change, name="change"),
    path("<int:pk>/obrisi/", issuer.delete, name="delete"),
    path("<int:pk>/pregled.pdf", issuer.preview, name="preview"),
    path("<int:pk>/dokument.pdf", issuer.pdf, name="issued-pdf"),
    path("<int:pk>/potvrda.pdf", issuer.receipt, name="issued-receipt"),
    path("<int:pk>/posalji/", issuer.send, name="send"),
    path("<int:pk>/podsjeti/", issuer.remind, name="remind"),
    path("<int:pk>/poveznica/", issuer.new_link, name="link"),
    path("<int:pk>/opozovi/", issuer.revoke, name="revoke"),
    path("<int:pk>/storniraj/", issuer.void, name="void"),
    path("izvoz.csv", issuer.table, name="table"),
]
