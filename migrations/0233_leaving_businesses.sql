-- A business whose account waits to be deleted is hidden as a suspended one is: page, deals, pins and paid places. Keeping the account
-- brings it back (decision 50).
alter table businesses add leaving_since timestamptz;

-- What the deletion of an account took from a plan: that it goes on, and the plan that followed. Null: nothing was taken.
alter table subscriptions add before_leaving jsonb;
