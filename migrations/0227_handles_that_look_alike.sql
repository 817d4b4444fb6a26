-- What a handle looks like, as `kit/shared/name-skeleton.ts` has it for all names: two with the same are mistaken for each other.
create function handle_skeleton(handle text) returns text
language sql immutable strict parallel safe
return replace(replace(translate(handle, '013457l-', 'oieasti'), 'rn', 'm'), 'vv', 'w');
-- serves the choice of a handle that looks like no other
create index forum_members_by_handle_skeleton on forum_members (handle_skeleton(handle));
