-- One log: what moderators did to the forum stands in that of all staff alone, and an appeal beside it.
create table appeals (
  -- what it objects to: one appeal each
  entry_id uuid primary key references audit_entries on delete cascade,
  -- post_hide, post_reject, member_silence or member_ban
  what text not null check (char_length(what) <= 40),
  -- who objects
  member_id uuid not null references forum_members on delete cascade,
  -- null: about the person
  post_id uuid references forum_posts on delete cascade,
  -- null: who wrote it has deleted the account
  appeal text check (char_length(appeal) <= 1000),
  appealed_at timestamptz not null,
  -- closed: what it is about ended by itself
  decision text check (decision in ('upheld', 'overturned', 'closed')),
  decided_at timestamptz,
  -- the entry of what settled it; open again once that is undone. Null: nobody did
  decided_by uuid,
  check ((decision is null) = (decided_at is null))
);
-- serves the list of open ones, and closing those about what has ended
create index appeals_open on appeals (appealed_at, entry_id) where decision is null;
-- serve what is decided about a post or a person, and what is kept of somebody
create index appeals_of_post on appeals (post_id);
create index appeals_of_member on appeals (member_id);

-- Decisions of the forum's first days are in its own log alone; they cannot be undone.
create temporary table twins on commit drop as
select l.action_id, coalesce(e.entry_id, l.action_id) as entry_id, e.entry_id is null as is_alone
from forum_moderation l left join lateral (
  select a.entry_id from audit_entries a
  where a.after ->> 'what' = l.action and a.at between l.at and l.at + interval '1 minute'
    and case
      when l.action like 'topic_%' then a.object_kind = 'topic' and a.object_name = l.object
      else a.object_id = coalesce(l.post_id, l.member_id)::text
    end
  order by a.at, a.entry_id limit 1
) e on true;

insert into audit_entries (entry_id, at, account_id, actor, action, object_kind, object_id, object_name, after, reason)
select l.action_id, l.at, m.account_id, coalesce(nullif(m.display_name, ''), 'staff'),
  case
    when l.action = 'topic_merge' then 'merge-topic'
    when l.action like 'appeal_%' then 'decide-appeal'
    else 'moderate-' || split_part(l.action, '_', 1)
  end,
  case when l.post_id is not null then 'post' when l.action like 'topic_%' then 'topic' else 'member' end,
  coalesce(l.post_id, case when l.action like 'topic_%' then l.topic_id else l.member_id end),
  left(l.object, 300), jsonb_build_object('what', l.action), l.reason
from forum_moderation l join twins t using (action_id) join forum_members m on m.member_id = l.moderator_id
where t.is_alone;

insert into appeals (entry_id, what, member_id, post_id, appeal, appealed_at, decision, decided_at)
select t.entry_id, l.action, l.member_id, l.post_id, l.appeal, l.appealed_at, l.appeal_decision,
  case when l.appeal_decision is not null then coalesce(l.appeal_decided_at, l.appealed_at) end
from forum_moderation l join twins t using (action_id)
where l.appealed_at is not null and l.member_id is not null
on conflict do nothing;

drop table forum_moderation;
