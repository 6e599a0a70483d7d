"""The results that the report is made of, as plain data: one module a room that is asked, one function a job."""
