type FittedLine = {
  /** Seconds by which answers become later for each second of delay. */
  slope: number;
  /** What the farthest point misses the line by. */
  noiseMs: number;
};

const pointPattern = /^(\d{1,3})=(\d{1,9})$/;

/**
 * The line that fits points best, by least squares.
 * @param text a delay in seconds and what the answer took in milliseconds each: "0=12,2=2015,1=1011"
 * @returns undefined for what is no such list, or has one delay only
 */
export function fittedLine(text: string): FittedLine | undefined {
  const points = text.split(',').map((part) => {
    const [, delay, elapsed] = pointPattern.exec(part) ?? [];
    return { delay: Number(delay), elapsedMs: Number(elapsed) };
  });
  if (points.some(({ delay }) => Number.isNaN(delay))) return undefined;
  const meanDelay = meanOf(points.map(({ delay }) => delay));
  const meanMs = meanOf(points.map(({ elapsedMs }) => elapsedMs));
  const spread = sumOf(points.map(({ delay }) => (delay - meanDelay) ** 2));
  if (spread === 0) return undefined;
  const slopeMs = sumOf(points.map(({ delay, elapsedMs }) => (delay - meanDelay) * (elapsedMs - meanMs))) / spread;
  const misses = points.map(({ delay, elapsedMs }) => Math.abs(elapsedMs - meanMs - slopeMs * (delay - meanDelay)));
  return { slope: slopeMs / 1_000, noiseMs: Math.max(...misses) };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;
