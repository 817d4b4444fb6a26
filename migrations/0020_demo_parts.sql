-- Which rooms' parts of the demo are in this database: each is filled once, also into a demo made before the room.
create table demo_parts (
  room text primary key,
  filled_at timestamptz not null
);

-- demos made before this table are known by their first merchant, whose id follows from its name
insert into demo_parts (room, filled_at)
select room, now() from (values ('businesses'), ('deals')) as parts (room)
where exists (select from businesses where business_id = '01978e94-a0e8-7f8b-8a4a-d23113936317');
