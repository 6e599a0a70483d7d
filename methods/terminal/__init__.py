"""What every command line of the project shares: its arguments, how it ends, what it writes, its tables, its worker
processes.

It lies here because this is the lowest room whose libraries suffice; no method uses it, and it uses no method.
"""
