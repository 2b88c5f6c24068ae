"""A client's pages. A token is taken as it comes: what is no token is answered as what is unknown."""

from django.urls import path

from ..views import client

urlpatterns = [
    path("<str:token>/", client.page, name="client"),
    path("<str:token>/prihvati/", client.acknowledge, name="acknowledge"),
    path("<str:token>/odbij/", client.decline, name="decline"),
    path("<str:token>/dokument.pdf", client.document, name="document"),
    path("<str:token>/potvrda.pdf", client.receipt, name="receipt"),
    path("<str:token>/dokazi.zip", client.bundle, name="bundle"),
    path("<str:token>/izjava.json", client.statement, name="statement"),
    path("<str:token>/dokaz.json", client.evidence, name="evidence"),
]
