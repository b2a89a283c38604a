-- The tokens ever bought, less those refunded.
CREATE TRIGGER billing_purchase_credited AFTER INSERT ON billing_purchases BEGIN
  UPDATE billing_account SET purchased_tokens = purchased_tokens + NEW.tokens - NEW.refunded_tokens WHERE id = 1;
END;

CREATE TRIGGER billing_purchase_refunded AFTER UPDATE OF refunded_tokens ON billing_purchases BEGIN
  UPDATE billing_account SET purchased_tokens = purchased_tokens + OLD.refunded_tokens - NEW.refunded_tokens
  WHERE id = 1;
END;
