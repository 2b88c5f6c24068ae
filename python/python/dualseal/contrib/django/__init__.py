"""A log of one's own in a project of Django: its tables, one step a transaction, commands and the admin.

Add ``"dualseal.contrib.django"`` to ``INSTALLED_APPS``, say in ``DUALSEAL`` where keys and mark lie, migrate, and run
``manage.py dualseal_init``::

    from dualseal.contrib.django.models import Chain

    with transaction.atomic():
        with Chain.objects.step("main") as step:
            ticket = step.sign(identity_id, pdf)
        Invoice.objects.create(number=7, record=ticket.row)

| module | what it is |
|---|---|
| `conf` | settings: where keys and the signer's mark come from |
| `fields` | columns of identities, records, seals and entries |
| `models` | the log's tables; abstract ones for who wants tables of his own |
| `rings` | the ring of a log, for who verifies |
| `store` | a log between these tables and the operator's step |
| `step` | one step, as a ``with`` statement |
| `evidence` | a record or a seal in one file, for strangers |
| `tree`, `vaults`, `seals`, `signatures` | what the audit reads: nodes, vault records, the project's own rows |
| `audit` | everything read and held against everything else |
| `operations` | the trigger that keeps a table append-only, for migrations |
| `checks` | what ``manage.py check`` looks at |
"""
