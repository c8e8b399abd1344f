"""The archive's server: nmem's REST API over a database of one's own, SQLite or PostgreSQL."""
