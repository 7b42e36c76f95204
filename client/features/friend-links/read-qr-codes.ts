import { BarcodeDetector as QrDetector } from 'qr/decode.js';

interface Detector {
  detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
/** The browser's detector of barcodes, which TypeScript's library doesn't declare. */
interface NativeDetector {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

let detector: Promise<Detector> | undefined;

/**
 * The browser's detector where it reads QR codes: in Chrome on Android and macOS, so far. Elsewhere, as in Safari,
 * Firefox and Android without Google's services, the app decodes the picture.
 */
async function createDetector(): Promise<Detector> {
  const { BarcodeDetector: Native } = globalThis as { BarcodeDetector?: NativeDetector };
  const formats = await Native?.getSupportedFormats().catch((): string[] => []);
  return Native && formats?.includes('qr_code')
    ? new Native({ formats: ['qr_code'] })
    : new QrDetector();
}

/** Returns the texts of the QR codes in the current frame of a video. */
export async function readQrCodes(video: HTMLVideoElement): Promise<string[]> {
  detector ??= createDetector();
  return (await (await detector).detect(video)).map(({ rawValue }) => rawValue);
}
