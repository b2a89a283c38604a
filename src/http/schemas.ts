import { z } from "@hono/zod-openapi";

/** A moment on output: RFC 3339 in UTC with milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 }).openapi({ example: "2026-11-16T09:30:00.000Z" });

/** A moment on input, with any offset. */
export const TimestampInput = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .openapi({ type: "string", format: "date-time", example: "2026-11-16T10:30:00+01:00" });

/** A record's number in a path. */
export const IdParam = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, "must be a positive integer")
  .transform(Number)
  .openapi({ type: "integer", minimum: 1, example: 1 });

export const Id = z.int().positive().openapi({ example: 1 });

/** `?unread=true`. Anything but `true` and `false` is refused. */
export const FlagParam = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .openapi({ type: "boolean" });

export function integerParam(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
    .openapi({ type: "integer", minimum: min, maximum: max, pattern: undefined });
}

/** The query of every list. */
export const pageParams = {
  limit: integerParam(1, 100)
    .default(50)
    .openapi({ description: "How many records a page holds.", default: 50, example: 20 }),
  cursor: z
    .string()
    .max(1000)
    .optional()
    .openapi({ description: "`nextCursor` of the page before; leave out for the first page." }),
};

/** The answer of every list. */
export function listOf<Item extends z.ZodType>(item: Item, name: string) {
  return z
    .object({
      data: z.array(item),
      nextCursor: z
        .string()
        .nullable()
        .openapi({ description: "Pass as `cursor` for the next page; null at the end." }),
    })
    .openapi(name);
}
