"""Addresses: pages in three languages, and what machines fetch without one."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

from . import views

urlpatterns = [
    path("", views.home),
    path("admin/", admin.site.urls),
    path("pos/", include("pos.urls")),
    path("media/pos/qr/<str:name>", views.qr_image, name="qr"),
    path("provjera/", views.verifier, name="verifier"),
    path("favicon.ico", views.icon),
    path("zdravlje/", views.health, name="health"),
    *i18n_patterns(
        path("ponuda/", include("invoices.urls.client")),
        path("obnova/", views.renew, name="renew"),
        path("izdavatelj/prijava/", LoginView.as_view(template_name="issuer/login.html"), name="login"),
        path("izdavatelj/odjava/", LogoutView.as_view(), name="logout"),
        path("izdavatelj/", include("invoices.urls.issuer")),
    ),
]
handler404 = "portal.views.not_found"
handler500 = "portal.views.failed"
