/** Public keys by which receivers verify the shop's mail (DKIM), of 768 and 2,048 bits. It sends none, so nobody has their other halves. */
export const mailKeys = {
  short: [
    'MHwwDQYJKoZIhvcNAQEBBQADawAwaAJhAOKV1fFpLjquullEf04g6PYOmLw9NywwMuxI53WxrOnavfQYuZSZv1FkcLKdTp5yJBOt',
    'tthlYh8q5/6FR97VV0lr3ASBsHaCvfeJ8Rm67WjV4jEEeEDiBPQIH992hRCArQIDAQAB',
  ].join(''),
  long: [
    'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6Y6UnueC+vvlElFmzZV/9SPaRQ7lUvn9uPPAR5puTRx49uao8PlOXRkG',
    'Ze76xkfu3H99VbhmaagfDbFlLXJgSvWloU16nEeMiiB2mEunl+nmvzLBXqvAsUUAyUXi+LyECD+zChAojmaozIEmZPhl2PbEe+/S',
    'IqshMFzF2dGwEr3z0TYaGWPb4lmS2pW16r9vx8ymW8DQS259ruUhBxW2JvFejYkjxdxeb7f1Unjz1jSngozzTC9mf2QRysuzqNql',
    '5HyxSZkzF0cD/HmYcq1HhM8nDWLwjhlBdMecmcp9mvjDUhK1o8jqTbXhRgGQO4u4+ni5/66sZrfB7EB52nDCIQIDAQAB',
  ].join(''),
} as const;
