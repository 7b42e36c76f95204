/** Created on first use, because that is slow on phones. */
let format: Intl.NumberFormat | undefined;

/** Cents as dollars, such as '$200.00'. */
export function dollars(cents: number): string {
  format ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  return format.format(cents / 100);
}

/** '$1,200', without the cents. */
export const wholeDollars = (cents: number): string =>
  `$${Math.round(cents / 100).toLocaleString('en-US')}`;
