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

-- Likes and flags that went with an account are no longer counted. Posts of the demo, whose people have a name and no account,
-- are liked by nobody in particular.
update forum_posts p set like_count = counted.likes
from (
  select q.post_id, (select count(*) from forum_likes l where l.post_id = q.post_id) as likes
  from forum_posts q join forum_members a on a.member_id = q.author_id
  where q.like_count > 0 and (a.account_id is not null or a.display_name is null)
) counted
where p.post_id = counted.post_id and p.like_count <> counted.likes;
update forum_members m set likes_received = counted.likes
from (
  select a.member_id, (
    select count(*) from forum_posts q join forum_likes l using (post_id) where q.author_id = a.member_id) as likes
  from forum_members a
  where a.likes_received > 0 and (a.account_id is not null or a.display_name is null)
) counted
where m.member_id = counted.member_id and m.likes_received <> counted.likes;
update forum_posts p set open_flags = counted.flags
from (
  select q.post_id, (
    select count(*) from forum_flags f where f.post_id = q.post_id and f.state in ('open', 'wip')) as flags
  from forum_posts q
  where q.open_flags > 0
) counted
where p.post_id = counted.post_id and p.open_flags <> counted.flags;

-- What flags alone had hidden, and nobody decided about before all who flagged it were gone, waits for approval.
update forum_posts set state = 'waiting' where state = 'hidden' and reason is null and open_flags = 0;
update forum_topics t set state = 'waiting', hidden_with_post = false
from forum_posts p
where p.topic_id = t.topic_id and p.post_number = 1 and p.state = 'waiting' and t.state = 'hidden' and t.hidden_with_post;
