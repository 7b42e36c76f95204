const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Cents as dollars, such as '$200.00'. */
export const dollars = (cents: number): string => format.format(cents / 100);

/** '$1,200', without the cents. */
export const wholeDollars = (cents: number): string =>
  `$${Math.round(cents / 100).toLocaleString('en-US')}`;
