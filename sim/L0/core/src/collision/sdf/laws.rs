//! What must hold for fields and their contacts, whatever the reference engine says.
