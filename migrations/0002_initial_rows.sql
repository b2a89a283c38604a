-- Tables of one row each, which are only ever updated.
INSERT INTO calendar_state (id) VALUES (1);
INSERT INTO task_totals (id) VALUES (1);
-- What is due from now on is reminded of.
INSERT INTO reminder_state (id, checked_until) VALUES (1, CAST(unixepoch('subsec') * 1000 AS INTEGER));
INSERT INTO email_totals (id) VALUES (1);
-- As the nightly job would set it.
INSERT INTO quarters_before (id, until) VALUES (1, (unixepoch() - 1296000) / 172800);
INSERT INTO model_state (id, model) VALUES (1, 'model_a');
INSERT INTO token_budget (id) VALUES (1);
INSERT INTO billing_account (id, reference) VALUES (1, lower(hex(randomblob(16))));

-- Counters exist from the start: triggers only update most of them.
INSERT INTO counters (area, key, value) VALUES
  ('service', 'api_keys', 0), ('service', 'webhooks', 0);
INSERT INTO stream_totals (platform) VALUES ('youtube'), ('twitch'), ('custom');

-- How posts sound on each platform until somebody changes it.
INSERT INTO stream_voices
  (platform, tone, custom_prompt, hashtags, call_to_action, format, auto_approve, version)
VALUES
  ('discord', 'friendly', '', '[]', '', 'embed', 0, 1),
  ('x', 'hype', '', '[]', '', 'plain', 0, 1),
  ('instagram', 'hype', '', '[]', '', 'plain', 0, 1),
  ('facebook', 'friendly', '', '[]', '', 'plain', 0, 1),
  ('webhook', 'professional', '', '[]', '', 'plain', 0, 1);

INSERT INTO stream_milestones (metric, threshold, version, created_at, updated_at)
  SELECT 'subscribers', value, 1, unixepoch() * 1000, unixepoch() * 1000
  FROM json_each('[100, 500, 1000, 5000, 10000, 50000]');

-- Nobody has to be told of them.
DELETE FROM changes;
