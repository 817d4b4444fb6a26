-- Figures are read from their hours; the sums of past days go.
drop function analytics_sum, analytics_first_day;
drop table analytics_days, analytics_business_hours, analytics_summed, analytics_late;
