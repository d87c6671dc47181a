"""A desktop's service for notices.

usage: notifications.py FOLDER

It takes the service's name on the session bus. FOLDER/notices gets the title and text of each notice, as one line of JSON.
"""

import asyncio
import json
import pathlib
import sys

from dbus_next import Message
from dbus_next.aio import MessageBus


async def serve(folder):
    bus = await MessageBus().connect()

    def respond(message):
        if message.member != "Notify" or message.signature != "susssasa{sv}i":
            return None
        with open(folder / "notices", "a", encoding="utf-8") as log:
            log.write(json.dumps(message.body[3:5]) + "\n")
        return Message.new_method_return(message, "u", [1])

    bus.add_message_handler(respond)
    await bus.request_name("org.freedesktop.Notifications")
    await bus.wait_for_disconnect()


asyncio.run(serve(pathlib.Path(sys.argv[1])))
