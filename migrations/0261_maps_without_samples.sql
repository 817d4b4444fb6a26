-- Maps count every row they show; none is estimated from a part of them.
drop index deals_near_8th, deals_near_64th, deals_near_512th;
alter table deals drop column lot;
drop index businesses_near_8th, businesses_near_64th, businesses_near_512th;
alter table businesses drop column lot;
