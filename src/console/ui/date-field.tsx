import { dateText, type TimeHabits } from "../lib/time.ts";
import { TextField, type TextFieldProps } from "./field.tsx";

/**
 * A date. The browser's own field follows the machine, whatever the page says, so the date also stands below it as the
 * person writes it.
 */
export function DateField({ habits, value, ...rest }: TextFieldProps & { habits: TimeHabits; value: string }) {
  const hint = /^\d{4}-\d{2}-\d{2}$/.test(value) ? dateText(habits, value) : undefined;
  return <TextField {...rest} type="date" value={value} {...(hint !== undefined && { hint })} />;
}
