"""Rules and dashboards for what `metaquorum exporter` serves: one source, written to `deploy/`."""
