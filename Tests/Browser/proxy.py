"""A TCP proxy to the server under test."""

import asyncio
import urllib.parse

from browser import url


class Proxy:
    """A TCP proxy to the server; stopping it looks to the browser like a restart of the server."""

    def __init__(self):
        self.port, self.writers = 0, set()

    async def start(self):
        self.server = await asyncio.start_server(self.connect, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    def stop(self):
        self.server.close()
        for writer in self.writers:
            writer.transport.abort()

    async def connect(self, reader, writer):
        target = urllib.parse.urlsplit(url)
        server_reader, server_writer = await asyncio.open_connection(target.hostname, target.port)
        self.writers |= {writer, server_writer}
        await asyncio.gather(self.copy(reader, server_writer), self.copy(server_reader, writer))

    async def copy(self, reader, writer):
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()
