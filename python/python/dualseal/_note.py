"""Signed notes of a log and the cosignatures of its witnesses, for their own type stubs."""

from dualseal._dualseal import LogProof, Note, NoteKey, NoteSignature, Witnessed, Witnesses

__all__ = ["LogProof", "Note", "NoteKey", "NoteSignature", "Witnessed", "Witnesses"]
