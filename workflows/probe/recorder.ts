/** One thing that an instrument did, for the log and for support: never bodies. */
export type Record = {
  at: string;
  instrument: 'http' | 'tls' | 'dns' | 'smtp' | 'browser';
  method: string;
  url: string;
  /** HTTP status or DNS code; the probe error's code when nothing came back. */
  outcome: string;
  elapsedMs: number;
};

/** Counts what an activity sent, and remembers the last of it. */
export type Recorder = {
  note(record: Omit<Record, 'at'>): void;
  requests(): number;
  /** Oldest first. */
  recent(): Record[];
};

/**
 * @param redact masks what must not be remembered
 * @param capacity records that are remembered
 */
export function createRecorder(redact: (url: string) => string = maskUrl, capacity = 64): Recorder {
  const ring: Record[] = [];
  let requests = 0;
  return {
    note(record) {
      requests++;
      ring.push({ at: new Date().toISOString(), ...record, url: redact(record.url) });
      if (ring.length > capacity) ring.shift();
    },
    requests: () => requests,
    recent: () => [...ring],
  };
}

/** Masks user information and every value of the query: either may be a credential. */
function maskUrl(url: string): string {
  return url.replace(/\/\/[^/?#@]*@/, '//[masked]@').replace(/([?&][^=&#?]*)=[^&#]*/g, '$1=[masked]');
}
