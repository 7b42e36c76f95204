const MEGABYTE = 1024 * 1024;

/** Formats a storage size, such as 'About 4.2 MB on this device.' */
export function bytesInWords(bytes: number): string {
  if (bytes < MEGABYTE / 10) return 'Less than 0.1 MB on this device.';
  const megabytes = bytes / MEGABYTE;
  return `About ${megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes)} MB on this device.`;
}
