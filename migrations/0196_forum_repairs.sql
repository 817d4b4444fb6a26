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
