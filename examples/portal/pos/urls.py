"""A till's addresses."""

from django.urls import path

from . import views

urlpatterns = [path("api/kasa/offline-bundle/", views.offline_bundle, name="offline-bundle")]
