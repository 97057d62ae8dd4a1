"""What all pages stand on: access, limits, requests and answers, and processes for slow work."""
