-- Serves taking back what people were told of a topic or a post that others do not see any more.
create index notifications_of_group on notifications (group_key);

-- Serves the moderators' queue: topics that wait without their first post.
create index forum_topics_waiting on forum_topics (topic_id) where state = 'waiting';
-- Those whose first post flags alone had hidden before its author deleted it were in no queue.
update forum_topics t set state = 'waiting', hidden_with_post = false
from forum_posts p
where p.topic_id = t.topic_id and p.post_number = 1 and p.state = 'deleted' and t.last_number > 1
  and t.state = 'hidden' and t.hidden_with_post
  and not exists (
    select from forum_moderation l where l.post_id = p.post_id and l.action in ('post_hide', 'post_reject'));

-- Serves a merge: who watches or mutes a topic does so with the other one.
create index forum_reads_chosen on forum_reads (topic_id) where mode <> 'normal';
