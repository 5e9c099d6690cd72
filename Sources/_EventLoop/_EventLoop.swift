// _EventLoop: to come.
