"""What a number looks like, in prose and in a formula; this room imports nothing of ours."""
