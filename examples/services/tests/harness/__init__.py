"""What the black-box tests of the services stand on: the service as a process, its peers, and a caller over HTTP.

Each peer is real software: PostgreSQL from Debian, an S3 server from a Python package. They die with the test process.
"""
