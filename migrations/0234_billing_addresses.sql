-- To whom the invoices of a business are addressed from now on, where that is not its name and address. An invoice keeps its
-- addressee (payments.billed_to).
create table billing_addresses (
  business_id uuid primary key references businesses on delete cascade,
  legal_name text check (char_length(legal_name) between 1 and 120),
  address text check (char_length(address) between 1 and 200),
  -- CHE-123.456.788, with MWST, TVA or IVA behind it where the business is registered for VAT
  uid text check (uid ~ '^CHE-\d{3}\.\d{3}\.\d{3}( (MWST|TVA|IVA))?$')
);
