-- serves the nightly second try of logos that could not be fetched
create index businesses_logos_to_fetch on businesses (updated_at)
where logo_copy is null and logo_url like 'http%' and claimed;
