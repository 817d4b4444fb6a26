-- Appeals that nobody has decided, about what was lifted in another way: the post is to be seen again, or its author may write
-- again. They stood in the list of the moderators with nothing left to decide. It changes rows alone, and may run again.
update forum_moderation l set appeal_decision = 'overturned', appeal_decided_at = now()
where l.appealed_at is not null and l.appeal_decision is null and (
  exists (select from forum_posts p where p.post_id = l.post_id and p.state = 'visible'
    and l.action in ('post_hide', 'post_reject'))
  or exists (select from forum_members m where m.member_id = l.member_id
    and ((l.action = 'member_silence' and m.silenced_until is null)
      or (l.action = 'member_ban' and m.banned_until is null))));
