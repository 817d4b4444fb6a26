-- Who writes in the forum. A person's row is made with their first act; it stays, without a name, when their account goes,
-- so that conversations keep their sense.
create table forum_members (
  member_id uuid primary key,
  -- null: of the demo, or the account is gone
  account_id uuid unique references accounts on delete set null,
  -- what a mention calls them; null: the account is gone
  handle text unique check (handle ~ '^[a-z0-9][a-z0-9-]{1,38}$'),
  -- copied from the account by triggers, never written by hand (role and is_verified too); null: the account is gone
  display_name text check (char_length(display_name) between 1 and 80),
  role text not null default 'user' check (role in ('user', 'business', 'moderator', 'admin')),
  is_verified boolean not null default false,
  -- when the account was made
  joined_at timestamptz not null,
  -- what trust grows from
  topics_written int not null default 0,
  replies_written int not null default 0,
  posts_read int not null default 0,
  likes_given int not null default 0,
  likes_received int not null default 0,
  has_redeemed boolean not null default false,
  -- the pace of writing: when the next topic and reply would come if they came evenly
  next_topic_at timestamptz,
  next_reply_at timestamptz,
  -- reads everything, writes nothing until then
  silenced_until timestamptz,
  banned_until timestamptz
);

-- What a handle looks like, as `kit/shared/name-skeleton.ts` has it for all names: two with the same are mistaken for each other.
create function handle_skeleton(handle text) returns text
language sql immutable strict parallel safe
return replace(replace(translate(handle, '013457l-', 'oieasti'), 'rn', 'm'), 'vv', 'w');
-- serves the choice of a handle that looks like no other
create index forum_members_by_handle_skeleton on forum_members (handle_skeleton(handle));

create function fill_forum_member() returns trigger
language plpgsql
as $$
declare
  account accounts;
begin
  if new.account_id is not null then
    -- held until the end of the transaction, so that a change of the account comes before or after
    select * into account from accounts where account_id = new.account_id for share;
    new.display_name := account.display_name;
    new.role := account.role;
    new.is_verified := account.verified_at is not null;
    new.joined_at := account.created_at;
  end if;
  return new;
end;
$$;
create trigger fill_forum_member before insert on forum_members for each row execute function fill_forum_member();

create function copy_account_to_forum() returns trigger
language plpgsql
as $$
begin
  update forum_members
  set display_name = new.display_name, role = new.role, is_verified = new.verified_at is not null
  where account_id = new.account_id;
  return null;
end;
$$;
create trigger copy_account_to_forum after update of display_name, role, verified_at on accounts
for each row when ((old.display_name, old.role, old.verified_at) is distinct from (new.display_name, new.role, new.verified_at))
execute function copy_account_to_forum();

create table forum_topics (
  topic_id uuid primary key,
  category text not null
    check (category in ('announcements', 'line-up', 'food-deals', 'getting-around', 'meet-ups', 'lost-found', 'help')),
  title text not null check (char_length(title) between 5 and 120),
  tags text[] not null default '{}' check (cardinality(tags) <= 5),
  -- of its first post
  lang text not null,
  author_id uuid not null references forum_members,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- waiting: its first post has not been approved yet
  state text not null default 'visible' check (state in ('visible', 'waiting', 'hidden', 'deleted', 'merged')),
  is_pinned boolean not null default false,
  is_locked boolean not null default false,
  -- Hidden because its first post is: it comes back with that post. One that a moderator hid by itself does not.
  hidden_with_post boolean not null default false,
  -- A moderator has corrected its title or tags: what its author changes of them after that waits for approval.
  is_corrected boolean not null default false,
  -- number of the post that solved it
  solved_number int,
  -- an event or a deal; no reference, because both rooms may delete theirs
  linked_kind text check (linked_kind in ('event', 'deal')),
  linked_id uuid,
  -- the highest number of a post; numbers are never given again, so that pages and links of posts stay
  last_number int not null default 0,
  -- of posts that everybody sees
  post_count int not null default 0,
  last_post_at timestamptz not null,
  last_author_id uuid references forum_members,
  -- where its posts went, and what was added to their numbers
  merged_into uuid references forum_topics,
  merged_by_number int,
  check ((linked_kind is null) = (linked_id is null)),
  check ((state = 'merged') = (merged_into is not null))
)
-- every reply writes the row: room on the page keeps these changes off the indexes of what has not changed
with (fillfactor = 80);
-- serves the list of all topics, pinned ones first, then those with the newest post
create index forum_topics_latest on forum_topics (is_pinned desc, last_post_at desc, topic_id desc) where state = 'visible';
-- serves the same of one category, and its count
create index forum_topics_of_category on forum_topics (category, is_pinned desc, last_post_at desc, topic_id desc)
  where state = 'visible';
-- serves "newest first" and the feeds
create index forum_topics_newest on forum_topics (created_at desc, topic_id desc) where state = 'visible';
-- serves topics with a tag
create index forum_topics_by_tag on forum_topics using gin (tags) where state = 'visible';
-- serves the topics about an event or deal
create index forum_topics_linked on forum_topics (linked_kind, linked_id) where linked_id is not null;
-- serves what somebody has written
create index forum_topics_of_author on forum_topics (author_id, created_at desc);
-- serves the sitemap
create index forum_topics_by_id on forum_topics (topic_id) where state = 'visible';
-- Serves the moderators' queue: topics that wait without their first post.
create index forum_topics_waiting on forum_topics (topic_id) where state = 'waiting';
-- Serves a merge, and taking back what was told of a post before its topic was merged.
create index forum_topics_merged on forum_topics (merged_into) where merged_into is not null;

create table forum_posts (
  post_id uuid primary key,
  topic_id uuid not null references forum_topics on delete cascade,
  post_number int not null check (post_number > 0),
  author_id uuid not null references forum_members,
  created_at timestamptz not null,
  -- waiting: for approval; hidden: by moderators or by flags; rejected: was not approved
  state text not null default 'visible' check (state in ('visible', 'waiting', 'hidden', 'deleted', 'rejected')),
  like_count int not null default 0,
  open_flags int not null default 0,
  -- when flags alone hid it: they hide at most three posts of one person an hour
  hidden_by_flags_at timestamptz,
  edited_at timestamptz,
  -- number of the post that it answers
  reply_to int,
  lang text not null,
  -- the moderator's reason for hiding or rejecting it
  reason text check (char_length(reason) <= 500),
  image_name text,
  body text not null check (char_length(body) <= 10000),
  -- the Markdown of `body` as elements, read once when it was written
  content jsonb not null,
  -- of the text without case and spaces, by which a repeated one is known
  body_hash bytea not null,
  -- the key with which it was sent, so that the same one sent again is one post
  sent_key bytea,
  -- weights: A title (of a first post), D text
  doc tsvector not null default '',
  -- serves the pages of a topic: a page is a range of numbers, so each opens as fast as the first
  unique (topic_id, post_number)
);
-- serves search by words
create index forum_posts_by_words on forum_posts using gin (doc) where state = 'visible';
-- serves search where very many posts have the words: the newest are looked through
create index forum_posts_newest on forum_posts (created_at desc, post_id desc) where state = 'visible';
-- serves what somebody has written: their page, the same text within five minutes, their day's posts
create index forum_posts_of_author on forum_posts (author_id, created_at desc);
-- serves the same text by several new members
create index forum_posts_by_text on forum_posts (body_hash, created_at desc);
-- serves a post that is sent again
create unique index forum_posts_sent on forum_posts (author_id, sent_key) where sent_key is not null;
-- serves the moderators' queue
create index forum_posts_to_review on forum_posts (created_at, post_id) where state = 'waiting' or open_flags > 0;
-- serves how many posts of a person flags alone have hidden
create index forum_posts_hidden_by_flags on forum_posts (author_id, hidden_by_flags_at) where hidden_by_flags_at is not null;

-- What a post said before it was edited.
create table forum_revisions (
  revision_id uuid primary key,
  post_id uuid not null references forum_posts on delete cascade,
  body text not null,
  -- An earlier version of a post is there for everybody only if everybody saw it and its author replaced it. What was replaced
  -- before an approval, or by a moderator, is for staff.
  is_public boolean not null default false,
  -- until when it said this, and who changed it
  replaced_at timestamptz not null,
  replaced_by uuid not null references forum_members
);
-- serves the history of a post
create index forum_revisions_of_post on forum_revisions (post_id, replaced_at desc);

create table forum_likes (
  post_id uuid not null references forum_posts on delete cascade,
  member_id uuid not null references forum_members on delete cascade,
  liked_at timestamptz not null,
  primary key (post_id, member_id)
);
-- serves what somebody has liked
create index forum_likes_of_member on forum_likes (member_id, liked_at desc);

create table forum_flags (
  flag_id uuid primary key,
  post_id uuid not null references forum_posts on delete cascade,
  member_id uuid not null references forum_members on delete cascade,
  kind text not null check (kind in ('spam', 'offensive', 'off_topic', 'unsafe', 'illegal', 'other')),
  note text check (char_length(note) <= 500),
  -- of somebody with trust level 1 or more: three of these hide a post
  counts boolean not null,
  state text not null default 'open' check (state in ('open', 'wip', 'resolved', 'rejected')),
  created_at timestamptz not null,
  -- When it was decided: a post that its author changed after that can be flagged again by the same person. Null: it is open.
  decided_at timestamptz,
  unique (post_id, member_id)
);
-- serves the flags of a person, for whom everything is asked for or deleted
create index forum_flags_of_member on forum_flags (member_id);

-- How far somebody has read, and what they want to hear of a topic.
create table forum_reads (
  member_id uuid not null references forum_members on delete cascade,
  topic_id uuid not null references forum_topics on delete cascade,
  read_to int not null default 0,
  mode text not null default 'normal' check (mode in ('normal', 'watch', 'mute')),
  changed_at timestamptz not null,
  primary key (member_id, topic_id)
);
-- serves unread marks of what somebody looked at last
create index forum_reads_latest on forum_reads (member_id, changed_at desc);
-- serves who watches a topic
create index forum_reads_watching on forum_reads (topic_id) where mode = 'watch';
-- Serves a merge: who watches or mutes a topic does so with the other one.
create index forum_reads_chosen on forum_reads (topic_id) where mode <> 'normal';

create table forum_blocks (
  member_id uuid not null references forum_members on delete cascade,
  blocked_id uuid not null references forum_members on delete cascade,
  blocked_at timestamptz not null,
  primary key (member_id, blocked_id)
);

-- Uploaded pictures: with a post once it is sent, else deleted after a day.
create table forum_images (
  image_name text primary key,
  member_id uuid not null references forum_members on delete cascade,
  created_at timestamptz not null,
  post_id uuid references forum_posts on delete set null
);
-- serves the nightly job that deletes pictures without a post
create index forum_images_unused on forum_images (created_at) where post_id is null;
-- serves the pictures of a person
create index forum_images_of_member on forum_images (member_id);

-- What a person typed as a text-search query: every word must be found, from three letters on also as the beginning of a
-- longer one. At most eight words count. Null when nothing searchable was typed.
create function forum_query(typed text) returns tsquery
language sql immutable strict parallel safe
return (
  select to_tsquery('simple', string_agg(case when length(word) > 2 then word || ':*' else word end, ' & '))
  from (
    select left(word, 40) as word
    from regexp_split_to_table(trim(search_fold(left(typed, 200))), ' ') with ordinality as words (word, place)
    where word <> '' order by place limit 8
  ) terms
);
