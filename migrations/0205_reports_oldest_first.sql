-- Open cases in the order in which they came: the one queue of moderators has them among the posts that wait.
create index report_cases_oldest on report_cases (first_at, case_id) where state = 'open';

-- Cases about ratings that their authors have deleted: there was nothing left to decide, nor anything to show.
delete from report_cases c
where c.kind = 'rating' and not exists (select from ratings r where r.rating_id = c.subject_id);
