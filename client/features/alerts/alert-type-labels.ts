import type { AlertType } from '#shared/alerts/contract.ts';

const WORDS: Record<AlertType, string> = {
  weather: 'Weather',
  air_quality: 'Air quality',
  public_safety: 'Public safety',
  natural_disaster: 'Natural disaster',
  other: 'Other',
};

/** The name of an alert type. */
export const typeWord = (type: AlertType): string => WORDS[type];

/** Options of a select field. */
export const ALERT_TYPES = Object.entries(WORDS).map(([value, name]) => ({ value, name }));
