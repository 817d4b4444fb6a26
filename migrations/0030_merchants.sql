-- Pictures that merchants uploaded, or that were fetched for them. What nothing shows is deleted by night.
create table merchant_pictures (
  -- of the file in the store of uploads
  name text primary key check (name ~ '^[0-9a-f-]{36}\.webp$'),
  business_id uuid not null references businesses on delete cascade,
  made_at timestamptz not null
);
-- serves the deletion of an account, and the limit of pictures a day
create index merchant_pictures_of_business on merchant_pictures (business_id, made_at);
-- serves the nightly deletion
create index merchant_pictures_by_age on merchant_pictures (made_at, name);

insert into merchant_pictures (name, business_id, made_at)
select substring(logo_url from 10), business_id, updated_at from businesses
where logo_url ~ '^/uploads/[0-9a-f-]{36}\.webp$'
on conflict do nothing;

alter table businesses
  -- own paths, in the order in which they are shown
  add photos text[] not null default '{}' check (cardinality(photos) <= 6),
  -- own path of our copy of a logo_url that stands elsewhere; null: there is none (yet)
  add logo_copy text,
  -- what pages show: never anything of a foreign host
  add logo_image text generated always as (case when logo_url like '/uploads/%' then logo_url else logo_copy end) stored;

-- A deal stands where its merchant stands unless it says otherwise, so it moves along.
create function move_deals_along() returns trigger
language plpgsql
as $$
begin
  update deals set latitude = new.latitude, longitude = new.longitude
  where business_id = new.business_id
    and latitude is not distinct from old.latitude and longitude is not distinct from old.longitude;
  return null;
end
$$;
create trigger businesses_move_deals_along after update of latitude, longitude on businesses
for each row when ((old.latitude, old.longitude) is distinct from (new.latitude, new.longitude))
execute function move_deals_along();

-- serves the nightly deletion: which of the uploaded pictures a deal shows
create index deals_by_picture on deals (image_url) where image_url is not null;
