"""A query's way through, stage by stage. Pure: values in, values out; `now` comes with the query."""
