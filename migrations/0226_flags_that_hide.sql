-- When flags alone hid it: they hide at most three posts of one person an hour.
alter table forum_posts add column hidden_by_flags_at timestamptz;
-- serves how many posts of a person flags alone have hidden
create index forum_posts_hidden_by_flags on forum_posts (author_id, hidden_by_flags_at) where hidden_by_flags_at is not null;

-- Open flags of people who had only read, or whose account was younger than two days, hide nothing any more.
update forum_flags f set counts = false
from forum_members m
where m.member_id = f.member_id and f.counts and f.state in ('open', 'wip') and m.role not in ('moderator', 'admin')
  and (not m.has_redeemed or f.created_at < m.joined_at + interval '2 days');
