import type { AlertType } from '#shared/alerts/contract.ts';

const WORDS: Record<AlertType, string> = {
  weather: 'Weather',
  air_quality: 'Air quality',
  public_safety: 'Public safety',
  natural_disaster: 'Natural disaster',
  other: 'Other',
};

/** What a kind of alert is called. */
export const typeWord = (type: AlertType): string => WORDS[type];

/** The kinds of alert, to choose from. */
export const ALERT_TYPES = Object.entries(WORDS).map(([value, name]) => ({ value, name }));
