-- Staff can suspend a business: it and its deals vanish from every public answer until the suspension is lifted. What is paid
-- for, its login and codes that visitors hold stay as they are (decision 50).
alter table businesses
  add suspended_at timestamptz,
  -- what its merchant is told
  add suspended_reason text check (char_length(suspended_reason) between 1 and 500),
  -- whether the merchant was told last that it is suspended
  add suspension_told boolean not null default false,
  add constraint businesses_suspended_check check ((suspended_at is null) = (suspended_reason is null));
-- serves the list of suspended businesses
create index businesses_suspended on businesses (suspended_at desc, business_id desc) where suspended_at is not null;

-- as before, of those that everybody may see
drop index businesses_by_name, businesses_near, businesses_near_8th, businesses_near_64th, businesses_near_512th;
create index businesses_by_name on businesses (name_sorted collate "C", business_id) where suspended_at is null;
create index businesses_near on businesses using gist (xy) where suspended_at is null;
create index businesses_near_8th on businesses using gist (xy) where suspended_at is null and lot & 7 = 0;
create index businesses_near_64th on businesses using gist (xy) where suspended_at is null and lot & 63 = 0;
create index businesses_near_512th on businesses using gist (xy) where suspended_at is null and lot & 511 = 0;

alter table deals
  -- hidden because its merchant is suspended: `is_live` and every index know it as any hidden deal
  add hidden_with_merchant boolean not null default false,
  add constraint deals_hidden_with_merchant_check check (not hidden_with_merchant or state = 'hidden');
