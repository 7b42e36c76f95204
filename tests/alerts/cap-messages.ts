/** Creates a feature of /alerts/active in the documented format, shortened. Times are in minutes from now. */
export function cap(
  id: string,
  {
    geometry = null,
    minutes = {},
    ...change
  }: {
    geometry?: object | null;
    minutes?: { sent?: number; expires?: number; ends?: number | null };
    [property: string]: unknown;
  } = {},
): object {
  const at = (from: number) => new Date(Date.now() + from * 60_000).toISOString();
  const { sent = -30, expires = 60, ends = 120 } = minutes;
  return {
    id: `https://api.weather.gov/alerts/${id}`,
    type: 'Feature',
    geometry,
    properties: {
      id,
      areaDesc: 'New York (Manhattan)',
      references: [],
      sent: at(sent),
      effective: at(sent),
      onset: at(90),
      expires: at(expires),
      ends: ends === null ? null : at(ends),
      status: 'Actual',
      messageType: 'Alert',
      category: 'Met',
      severity: 'Severe',
      certainty: 'Likely',
      event: 'Severe Thunderstorm Warning',
      headline: 'Severe Thunderstorm Warning issued by NWS',
      description: 'At 2 PM a severe thunderstorm was near.\n\nHAZARD...60 mph wind gusts.',
      instruction: 'Move to an interior room.',
      ...change,
    },
  };
}

/** Returns the references with which an update or a cancellation names the messages it replaces. */
export const refersTo = (...ids: string[]) => ({
  references: ids.map((identifier) => ({ identifier, sender: 'w-nws.webmaster@noaa.gov' })),
});
