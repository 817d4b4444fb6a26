-- What earlier versions left wrong in the forum. It changes rows alone, and may run again.

-- Flags of a post that its author deleted are settled with it. Those that were left open kept the post in the queue of the
-- moderators, where nobody could decide about it.
update forum_flags f set state = 'resolved'
from forum_posts p
where p.post_id = f.post_id and p.state = 'deleted' and f.state in ('open', 'wip');
update forum_posts set open_flags = 0 where state = 'deleted' and open_flags > 0;

-- When flags were decided, as the moderators' log knows it.
update forum_flags f set decided_at = (
  select max(l.at) from forum_moderation l
  where l.post_id = f.post_id and l.at >= f.created_at
    and l.action in ('post_approve', 'post_edit', 'post_reject', 'post_hide', 'post_restore', 'post_dismiss'))
where f.decided_at is null and f.state in ('resolved', 'rejected');

-- Which topics are hidden with their first post: those that no moderator hid by itself.
update forum_topics t set hidden_with_post = true
from forum_posts p
where p.topic_id = t.topic_id and p.post_number = 1 and p.state in ('hidden', 'rejected')
  and t.state = 'hidden' and not t.hidden_with_post
  and not exists (select from forum_moderation l where l.topic_id = t.topic_id and l.action = 'topic_hide');

-- Names and appeals of people whose accounts are gone. Members of the demo have no account either, but a name.
update forum_moderation l set
  object = case when l.action like 'member_%' or (l.action like 'appeal_%' and l.post_id is null) then '–' else l.object end,
  appeal = null,
  appealed_at = case when l.appeal_decision is null then null else l.appealed_at end
from forum_members m
where m.member_id = l.member_id and m.account_id is null and m.display_name is null;
update audit_entries e set object_name = '–'
where e.object_name <> '–' and (
  e.object_kind = 'member' and e.object_id in (
    select member_id::text from forum_members where account_id is null and display_name is null)
  or e.object_kind = 'account' and not exists (select from accounts a where a.account_id::text = e.object_id));
