/** So long a device may look for a new position when it is asked for one. */
const AFRESH_MS = 4000;

const ask = (options: PositionOptions): Promise<GeolocationPosition> =>
  new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, options),
  );

/**
 * Where this device is, once, as its browser tells it.
 * @param isAfresh looks for a new position; a device at rest may have none, then the last one does
 * @throws GeolocationPositionError
 */
export async function currentPosition(
  options: PositionOptions,
  isAfresh = false,
): Promise<GeolocationCoordinates> {
  const afresh = isAfresh
    ? await ask({ ...options, timeout: AFRESH_MS, maximumAge: 0 }).catch(() => null)
    : null;
  return (afresh ?? (await ask(options))).coords;
}
