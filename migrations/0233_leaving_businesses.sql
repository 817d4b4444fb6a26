-- A business whose account waits to be deleted is hidden as a suspended one is: page, deals, pins and paid places. Keeping the account
-- brings it back (decision 50).
alter table businesses add leaving_since timestamptz;

-- accounts that wait already
update businesses b set leaving_since = now()
from accounts a where a.business_id = b.business_id and a.deletion_at is not null;
update deals d set hidden_from = d.state, state = 'hidden', hidden_with_merchant = true
from businesses b where b.business_id = d.business_id and b.leaving_since is not null and d.state in ('published', 'paused');

-- What the deletion of an account took from a plan: that it goes on, and the plan that followed. Null: nothing was taken.
alter table subscriptions add before_leaving jsonb;
