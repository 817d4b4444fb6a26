-- Serves a merge, and taking back what was told of a post before its topic was merged.
create index forum_topics_merged on forum_topics (merged_into) where merged_into is not null;

-- Closed: what the appeal was about has ended by itself. A silence ran out, or the author deleted the post. Appeals that are
-- open already are closed by the job, which tells who appealed.
alter table forum_moderation drop constraint forum_moderation_appeal_decision_check;
alter table forum_moderation add constraint forum_moderation_appeal_decision_check
  check (appeal_decision in ('upheld', 'overturned', 'closed'));
