/** The browser's detector of barcodes, which TypeScript's library doesn't declare. */
interface BarcodeDetector {
  detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
type Detectors = { BarcodeDetector?: new (options: { formats: string[] }) => BarcodeDetector };

/** Whether this browser can scan: Chrome on Android and macOS, so far. */
export const canScan = (): boolean =>
  'BarcodeDetector' in globalThis && 'mediaDevices' in navigator;

let detector: BarcodeDetector | undefined;

/** Returns the texts of the QR codes in the current frame of a video. */
export async function readQrCodes(video: HTMLVideoElement): Promise<string[]> {
  const { BarcodeDetector: Detector } = globalThis as Detectors;
  if (!Detector) return [];
  detector ??= new Detector({ formats: ['qr_code'] });
  return (await detector.detect(video)).map(({ rawValue }) => rawValue);
}
